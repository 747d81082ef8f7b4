-- Where a client registered from: the network that holds most of those that nobody connected makes room for others.
ALTER TABLE app_clients ADD COLUMN network text NOT NULL DEFAULT '';
