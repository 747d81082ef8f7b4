/** Every place between two durable steps of an event's way from the transaction that made it true to the record of its delivery. */
export const STEPS = [
  'event committed',
  'event published',
  'event consumed',
  'deliveries written',
  'deliveries committed',
  'claim written',
  'claim committed',
  'about to send',
  'sent and answered',
  'record written',
  'record committed',
] as const;
export type Step = (typeof STEPS)[number];
