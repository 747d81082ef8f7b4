export { verifySignature, verifyWebhook, WebhookVerificationError } from './verify-webhook.ts';
export type {
  DeliveredRequest,
  VerificationFailure,
  VerifyOptions,
  WebhookDelivery,
  WebhookHeaders,
} from './verify-webhook.ts';
