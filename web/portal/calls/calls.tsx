/** Calls of the company: under way, in the history, and the messages of one's own mailboxes. */
import { useSignedIn } from '../session/session';
import { OneInstance } from '../shell/one-instance';
import { History } from './history';
import { Live } from './live-calls';
import { Messages } from './messages';
import { Retention } from './retention';

export function Calls() {
  const { is_owner: isOwner } = useSignedIn();
  const above = (
    <>
      <Live />
      <Messages />
    </>
  );
  return (
    <OneInstance page="calls" above={above}>
      {(uuid) => (
        <>
          <History key={uuid} uuid={uuid} />
          {isOwner && <Retention />}
        </>
      )}
    </OneInstance>
  );
}
