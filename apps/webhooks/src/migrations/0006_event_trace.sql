-- The trace that the event came with, as W3C traceparent, so that its deliveries belong to it; NULL without one.
ALTER TABLE webhook_events ADD COLUMN traceparent text;
