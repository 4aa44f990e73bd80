/** Schemas of browser sign-in. */
import { z } from 'zod';
import type { Wire } from '../../../kernel/text/wire';

const organisation = z
  .object({ name: z.string(), icon_url: z.string() })
  .nullable()
  .meta({ description: 'Null on the root domain of a server with several organisations' });

const signedIn = z.object({
  signed_in: z.literal(true),
  token: z.string().meta({ description: 'Send this as X-Partyline-Token with every request' }),
  user_id: z.int(),
  email: z.string(),
  full_name: z.string(),
  organisation,
  two_factor: z.object({
    on: z.boolean(),
    required: z
      .boolean()
      .meta({ description: 'True if it is required but not turned on: only setting it up is allowed' }),
  }),
});

const openIdMethod = z.object({ name: z.string(), url: z.string() });
export type OpenIdMethod = Wire<typeof openIdMethod>;

const signedOut = z.object({
  signed_in: z.literal(false),
  organisation,
  methods: z.object({ password: z.boolean(), openid: z.array(openIdMethod) }),
  has_portal: z.boolean().meta({ description: 'Whether /portal is the telephony portal' }),
  demo_accounts: z
    .array(z.object({ email: z.string(), full_name: z.string() }))
    .optional()
    .meta({ description: 'Accounts for one-click sign-in; development servers only' }),
});

export const sessionAnswer = z.union([signedIn, signedOut]);
export type SessionAnswer = Wire<typeof sessionAnswer>;
export const signedInAnswer = signedIn;
export type SignedInAnswer = Wire<typeof signedIn>;

const session = z
  .object({
    id: z.int(),
    created_at: z.int().meta({ description: 'Seconds' }),
    last_used_at: z.int().meta({ description: 'Seconds; may lag by up to five minutes' }),
    agent: z.string(),
    address: z.string(),
    current: z.boolean(),
  })
  .meta({ id: 'Session' });
export const sessionsAnswer = z.object({ sessions: z.array(session) });
export type SessionsAnswer = Wire<typeof sessionsAnswer>;

export const twoFactorSecretAnswer = z.object({
  secret: z.string(),
  uri: z.string().meta({ description: 'The URL to show as a QR code for authenticator apps' }),
});
export const recoveryCodesAnswer = z.object({ recovery_codes: z.array(z.string()) });
export const signInRulesAnswer = z.object({ two_factor_required: z.boolean() });

const openIdProvider = z
  .object({
    name: z.string(),
    display_name: z.string(),
    issuer: z.string(),
    client_id: z.string(),
    domains: z.array(z.string()),
    creates_accounts: z.boolean(),
  })
  .meta({ id: 'OpenIdProvider' });
export const openIdProvidersAnswer = z.object({ providers: z.array(openIdProvider) });
export type OpenIdProvidersAnswer = Wire<typeof openIdProvidersAnswer>;
