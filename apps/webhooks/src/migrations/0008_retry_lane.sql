-- Retries and tests are claimed apart from first deliveries, of which any number may wait for the same webhook.
CREATE INDEX delivery_queue_retries ON delivery_queue (webhook_id, due_at) WHERE retry > 0 AND NOT is_test;
CREATE INDEX delivery_queue_tests ON delivery_queue (webhook_id, due_at) WHERE is_test;
