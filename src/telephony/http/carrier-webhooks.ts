/** Where carriers call. They have no key: the token in the address names an account, and a signature proves it. */
import { z } from 'zod';
import type { Dialect } from '../../kernel/http/dialect';
import { openRoutes } from '../../kernel/http/route';
import type { Mount } from '../../kernel/product';
import { receiveCarrierCall } from '../commands/receive-carrier-call';
import type { Caller } from '../model/contact';
import type { TelephonySettings } from '../settings';
import { telephonyDialect } from './dialect';

/** The body is read after its signature was checked, not before; and a carrier wants no answer but the status. */
const webhookDialect: Dialect<Caller> = {
  ...telephonyDialect,
  rawParams: ({ pathParams }) => ({ ...pathParams }),
  success: () => ({ status: 204, body: undefined }),
};

const door = (about: 'texting' | 'fax', { publicUrl }: TelephonySettings) =>
  openRoutes.post(`/${about}/:carrier/:token`, {
    summary: `Tell of ${about === 'texting' ? 'texts and what became of them' : 'faxes'}; for carriers, who sign it`,
    rawBody: true,
    params: { carrier: z.string(), token: z.string() },
    run: ({ kernel, params, incoming }) =>
      receiveCarrierCall(kernel, {
        ...params,
        about,
        // A proxy may have changed what stands in Host; what the carrier was given is what it signs.
        url: `${publicUrl.replace(/\/+$/, '')}${incoming.path}${incoming.search}`,
        body: String(incoming.body),
        header: (name) => incoming.header(name),
      }),
  });

export const webhookMount = (settings: TelephonySettings): Mount => ({
  prefix: '/webhooks',
  dialect: webhookDialect,
  routes: [door('texting', settings), door('fax', settings)],
});
