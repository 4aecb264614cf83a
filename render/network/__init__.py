"""The egress boundary: which addresses may be reached, and the proxy that every connection passes through."""
