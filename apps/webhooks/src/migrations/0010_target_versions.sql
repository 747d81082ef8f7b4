-- Retries are not charged, so they go only where and while their first attempt was: `target_version` of a webhook rises
-- when its URL changes or it is switched on; a delivery keeps the one of its first attempt.
ALTER TABLE webhooks ADD COLUMN target_version int NOT NULL DEFAULT 0;
ALTER TABLE delivery_queue ADD COLUMN target_version int NOT NULL DEFAULT 0;
