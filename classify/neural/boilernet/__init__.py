"""BoilerNet (Leonhardt, Anand and Khosla 2020)."""
