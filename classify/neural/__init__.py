"""Neural models that read the DOM alone, applied with numpy."""
