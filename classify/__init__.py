"""From blocks to content: features, the site model, models that read the DOM alone, the document, metrics."""
