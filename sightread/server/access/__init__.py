"""Who may use the service and how much of it: the gate, tokens with scopes, and the bounded queue of requests."""
