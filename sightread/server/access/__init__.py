"""Access to the service: the gate, tokens with scopes, and the bounded queue of requests."""
