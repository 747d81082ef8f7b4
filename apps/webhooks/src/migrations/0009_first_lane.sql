-- First attempts are found without reading the retries that wait. `delivery_queue_due` serves replicas of the release before.
CREATE INDEX delivery_queue_first ON delivery_queue (webhook_id, due_at) WHERE retry = 0 AND NOT is_test;
