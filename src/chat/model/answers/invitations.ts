/** Schemas of invitations, and of accepting them. */
import { z } from 'zod';

const shape = {
  id: z.int(),
  ref: z.string().meta({ description: 'The email address of the inviting user' }),
  invited_by_user_id: z.int(),
  expiry_date: z.int().nullable().meta({ description: 'Seconds since 1970; null: it is valid until it is revoked' }),
  invited: z.int().meta({ description: 'Seconds since 1970' }),
  invited_as: z.int().meta({ description: '1 member, 2 administrator, 3 guest' }),
};

export const invitesAnswer = z.object({
  invites: z.array(
    z.union([
      z.object({ ...shape, email: z.string(), is_multiuse: z.literal(false) }).meta({ id: 'Invitation' }),
      z
        .object({
          ...shape,
          link_url: z.string(),
          uses: z.int().meta({ description: 'Accounts made with it' }),
          max_uses: z.int().nullable().meta({ description: 'How many there may be; null: any number' }),
          is_multiuse: z.literal(true),
        })
        .meta({ id: 'ReusableInvitation' }),
    ]),
  ),
});

export const inviteLinkAnswer = z.object({ invite_link: z.string() });
export const resentAnswer = z.object({ timestamp: z.int().meta({ description: 'Seconds since 1970' }) });
export const joinedAnswer = z.object({
  user_id: z.int(),
  email: z.string(),
  api_key: z
    .string()
    .optional()
    .meta({ description: 'Absent if a second factor is required: sign in with a browser and set one up first' }),
});
