"""Questions and events: forums, desks and chats, goods, offers and services, and a river of news."""
