-- The trace that the event belongs to, as W3C traceparent; NULL when it was not traced.
ALTER TABLE outbox ADD COLUMN traceparent text;
