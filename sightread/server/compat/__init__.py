"""Routes of other readers' APIs: their requests become `sightread.server.requests`, and the answers theirs."""
