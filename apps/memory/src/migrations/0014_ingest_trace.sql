-- The trace of the request that submitted the document, as W3C traceparent, so that what is done with it later belongs
-- to the same trace; NULL when the request was not traced.
ALTER TABLE ingest_queue ADD COLUMN traceparent text;
