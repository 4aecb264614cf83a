"""From clusters to articles: templates, the scores of clusters, geometry, comments, inserted boxes."""
