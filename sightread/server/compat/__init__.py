"""Routes of other readers' APIs: their requests become `sightread.server.schema.requests`, and the answers theirs."""
