/** Numbers from outside on a FreePBX: inbound routes for a DID from any caller. */
import { settingsText } from '../../model/extensions/call-settings';
import { freePbxPlace, shownPlace } from './freepbx-places';
import type { FreePbxKind } from './freepbx-arrangements';
import type { CallContext } from '../pbx-instance/driver';
import {
  FreePbxError,
  says,
  sendChange,
  throwFailedChange,
  type FreePbxApi,
} from '../pbx-instance/freepbx/freepbx-api';
import * as queries from '../pbx-instance/freepbx/freepbx-queries';
import { pageDeadlines, untilDeadline } from '../pbx-instance/pbx-http';

/** The id of a route is its DID and the number of its caller, which is none. */
const idOf = (number: number): string => `${number}/`;

const contentOf = (description: string, destination: string): string => settingsText({ description, destination });

export function freePbxInboundRoutes(api: FreePbxApi): FreePbxKind<'number'> {
  /** Without destinations: FreePBX collects all that there are for each one that it shows. */
  async function numbers(context: CallContext): Promise<number[]> {
    const { inboundRoutes } = await api.ask<queries.ShownRoutes>(queries.ROUTES, {}, context);
    if (!Array.isArray(inboundRoutes)) throw new FreePbxError('failed', 'no list of inbound routes');
    return inboundRoutes
      .filter(({ extension, cidnum }) => (cidnum ?? '') === '' && /^[1-9]\d{0,14}$/.test(extension))
      .map(({ extension }) => Number(extension));
  }

  async function read(number: number, context: CallContext) {
    const shown = await api.ask<queries.ShownRoute>(queries.ROUTE, { id: idOf(number) }, context);
    return { number, content: contentOf(shown.description ?? '', shownPlace(shown.destinationConnection)) };
  }

  return {
    contentOf: ({ name, destination }) => contentOf(name, freePbxPlace(destination)),
    async put({ number, data }, isThere, context) {
      const input = {
        extension: String(number),
        cidnum: '',
        description: data.name,
        destination: freePbxPlace(data.destination),
        clientMutationId: context.key,
      };
      if (!isThere) return sendChange(api, queries.ADD_ROUTE, input, context);
      // It deletes before it adds.
      await sendChange(api, queries.UPDATE_ROUTE, input, context).catch(throwFailedChange);
    },
    async remove(number, context) {
      const input = { id: idOf(number), clientMutationId: context.key };
      await sendChange(api, queries.REMOVE_ROUTE, input, context).catch((error: unknown) => {
        if (!says(error, 'none')) throwFailedChange(error);
      });
    },
    /** What FreePBX answers for a route that is not there, nobody has seen: the list is asked first. */
    async get(number, context) {
      const step = untilDeadline(context);
      return (await numbers(step())).includes(number) ? read(number, step()) : undefined;
    },
    async list(context, known) {
      const step = pageDeadlines(context);
      const found = [];
      for (const number of await numbers(step())) {
        found.push(known.includes(number) ? await read(number, step()) : { number, content: 'not read' });
      }
      return found;
    },
  };
}
