/** The schemes with which services sign deliveries, by their names in the API. */
export const SIGNATURE_SCHEMES = ['github', 'gitlab', 'stripe', 'slack', 'sentry', 'pagerduty', 'hmac'] as const;

export type SignatureScheme = (typeof SIGNATURE_SCHEMES)[number];

export const isSignatureScheme = (name: string): name is SignatureScheme =>
  (SIGNATURE_SCHEMES as readonly string[]).includes(name);
