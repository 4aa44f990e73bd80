/** The address of a device at a push service that nobody runs. */
import { createECDH, randomBytes } from 'node:crypto';

export const pushAddress = () => ({
  endpoint: `https://push.example.net/${randomBytes(16).toString('base64url')}`,
  p256dh: createECDH('prime256v1').generateKeys('base64url'),
  auth: randomBytes(16).toString('base64url'),
});
