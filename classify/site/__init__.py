"""The site model: a linear SVM on the look of one site."""
