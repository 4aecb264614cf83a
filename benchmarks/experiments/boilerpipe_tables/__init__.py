"""The experiments of Kohlschütter, Fankhauser and Nejdl (2010) on L3S-GN1."""
