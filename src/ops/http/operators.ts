/** Routes of the operators themselves. The first one is made on the command line. */
import { z } from 'zod';
import { text } from '../../kernel/http/params';
import { routesFor } from '../../kernel/http/route';
import { addColleague, changeColleague, removeColleague, renewKey } from '../commands/operators';
import { NOTHING, operator, operatorKey, operatorsAnswer } from '../model/answers';
import { noSuchOperator, notYourself, operatorNameTaken } from '../model/operator';
import { listOperators } from '../queries/operators';
import { actorOf, type Caller } from './access';

const { get, post, patch, del } = routesFor<Caller>();

/** The length of the column. */
const nameParam = text.pipe(z.string().trim().min(1).max(100));
const accessParam = text.pipe(z.enum(['read', 'full']));
const missing = noSuchOperator('Grace');

export const operatorRoutes = [
  get('/operators', {
    summary: 'List the operators',
    answer: operatorsAnswer,
    run: async ({ kernel }) => ({
      operators: (await listOperators(kernel.mysql)).map(({ name, access, createdAt }) => ({
        name,
        access,
        created_at: createdAt.toISOString(),
      })),
    }),
  }),
  post('/operators', {
    summary: 'Add an operator; the key is shown only once',
    answer: operatorKey,
    refuses: [operatorNameTaken('Grace')],
    params: { name: nameParam, access: accessParam },
    run: async ({ kernel, by, params: { name, access } }) => ({
      name,
      ...(await addColleague(kernel, { name, by: actorOf(by) }, access)),
    }),
  }),
  patch('/operators/:operator', {
    summary: 'Change the rights of another operator',
    answer: operator,
    refuses: [missing, notYourself()],
    params: { access: accessParam },
    async run({ kernel, by, params: { operator: name, access } }) {
      await changeColleague(kernel, { name, by: actorOf(by) }, access);
      return { name, access };
    },
  }),
  post('/operators/:operator/key', {
    summary: 'Give an operator a new key, which ends their sessions; it is shown only once',
    answer: operatorKey,
    refuses: [missing],
    run: async ({ kernel, by, params: { operator: name } }) => ({
      name,
      ...(await renewKey(kernel, { name, by: actorOf(by) })),
    }),
  }),
  del('/operators/:operator', {
    summary: 'Remove another operator, whose access ends at once',
    answer: NOTHING,
    refuses: [missing, notYourself()],
    async run({ kernel, by, params: { operator: name } }) {
      await removeColleague(kernel, { name, by: actorOf(by) });
      return {};
    },
  }),
];
