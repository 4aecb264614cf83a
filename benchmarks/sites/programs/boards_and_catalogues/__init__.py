"""Forums, questions, shops, catalogues, lessons, pictures and repositories of the ninth final part."""
