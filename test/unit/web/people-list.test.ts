import { applyEvents } from '../../../web/chat/events/apply-events';
import { setPeople } from '../../../web/chat/data/people-list';
import { chat, nameOf, useChat } from '../../../web/chat/data/store';
import type { Person, ServerEvent } from '../../../web/chat/data/wire';

const person = (id: number, name: string) => ({ user_id: id, full_name: name, email: `${id}@example.com` }) as Person;
const listed = (id: number, name: string, isActive = true) => ({ ...person(id, name), is_active: isActive });
const apply = (...events: object[]): void => applyEvents(events as ServerEvent[], () => undefined);
const change = (op: string, fields: object) => ({ type: 'realm_user', op, person: fields });

beforeEach(() => {
  Object.assign(globalThis, {
    reportError: (error: unknown) => {
      throw error;
    },
  });
  useChat.setState({ ...useChat.getInitialState(), ownId: 1, people: new Map([[1, person(1, 'Me')]]) }, true);
});

test('Events about people that arrive before the list are applied to it again', () => {
  apply(
    change('update', { user_id: 2, full_name: 'New name' }),
    change('add', person(4, 'Newcomer')),
    change('remove', { user_id: 3, full_name: 'Gone' }),
  );
  expect([...chat().people.keys()]).toEqual([1, 4]);
  setPeople([listed(1, 'Me'), listed(2, 'Old name'), listed(3, 'Gone')]);
  expect([...chat().people.values()].map(({ full_name: name }) => name)).toEqual([
    'Me',
    'New name',
    'Gone',
    'Newcomer',
  ]);
  expect([...chat().inactive]).toEqual([3]);
});

test('A change of somebody unknown makes no half person', () => {
  setPeople([listed(1, 'Me')]);
  apply(change('update', { user_id: 9, full_name: 'Nobody' }));
  expect(chat().people.has(9)).toBe(false);
});

test('The list has deactivated people and the accounts of the server', () => {
  useChat.setState({ settings: { cross_realm_bots: [person(8, 'Notification Bot')] } });
  setPeople([listed(1, 'Me'), listed(2, 'Gone', false)]);
  expect([...chat().people.keys()]).toEqual([1, 2, 8]);
  expect([...chat().inactive]).toEqual([2]);
});

test('A name that is on its way is an ellipsis, and one that nobody has a question mark', () => {
  expect(nameOf(5)).toBe('…');
  setPeople([listed(1, 'Me')]);
  expect(nameOf(5)).toBe('?');
});
