"""Shops, forums, chats, classified advertisements and events."""
