/** The tour for new users, and slash commands. */
import { z } from 'zod';
import { text } from '../../../kernel/http/params';
import { routesFor } from '../../../kernel/http/route';
import { runZcommand, seeHotspot, updateSettings } from '../../commands/users/update-settings';
import { DONE } from '../../model/answers/envelope';
import { zcommandAnswer } from '../../model/answers/users';
import { TUTORIAL_STATES } from '../../model/users/tour';
import type { User } from '../../model/users/user';
import { ensureHuman } from '../../model/users/user-policy';
import { looseText } from '../wire-params';
import { unknownHotspot } from '../../model/users/user-faults';
import { noSlash, noSuchCommand } from '../../model/messages/zcommand';

const { post } = routesFor<User>();

export const tourRoutes = [
  post('/users/me/hotspots', {
    summary: 'Mark a step of the tour as seen',
    answer: DONE,
    refuses: [unknownHotspot('nothing')],
    params: { hotspot: looseText },
    run: ({ kernel, by, params }) => seeHotspot(kernel.transaction, by, params.hotspot),
  }),
  post('/users/me/tutorial_status', {
    summary: 'Set the status of the tour',
    answer: DONE,
    params: { status: looseText.pipe(z.enum(TUTORIAL_STATES)) },
    async run({ kernel, by, params }) {
      ensureHuman(by);
      await updateSettings(kernel.transaction, by, 'own', { tutorial_status: params.status });
    },
  }),
  post('/zcommand', {
    summary: 'Run a slash command: /ping, /night, /dark, /day, /light',
    answer: zcommandAnswer,
    refuses: [noSlash(), noSuchCommand('nothing')],
    params: { command: text },
    run: ({ kernel, by, params }) => runZcommand(kernel.transaction, by, params.command),
  }),
];
