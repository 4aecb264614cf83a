"""What operators see of the service: metrics and spans."""
