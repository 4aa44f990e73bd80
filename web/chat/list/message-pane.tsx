/** The list of a view in all its states: loading, failed, empty, or full of messages. */
import { Button, Loader } from '@mantine/core';
import { t, type TextKey } from '../../shared/texts/texts';
import { useLists, type MessageList } from '../data/lists';
import { openList } from '../data/load';
import { keyOf, type Narrow } from '../data/narrow';
import { MessageRows } from './message-rows';
import { PendingRows } from './pending-rows';
import { TypingNote } from './typing-note';
import classes from './message-list.module.css';

const EMPTY: Readonly<Record<Narrow['kind'], TextKey>> = {
  all: 'empty.all',
  mentions: 'empty.mentions',
  starred: 'empty.starred',
  privates: 'empty.privates',
  stream: 'empty.stream',
  topic: 'empty.topic',
  private: 'empty.private',
  search: 'empty.search',
};

export function MessagePane({ narrow, near }: { narrow: Narrow; near?: number | undefined }) {
  const list = useLists(({ byKey }) => byKey.get(keyOf(narrow)));
  if (!list || (list.isLoading && list.ids.length === 0)) {
    return (
      <main className={classes.pane} id="messages" aria-busy="true">
        <Loader role="status" size="sm" className={classes.middle} aria-label={t('loading')} />
      </main>
    );
  }
  return (
    <main className={classes.pane} id="messages" tabIndex={-1} aria-label={t('list.label')}>
      {list.ids.length === 0 ? (
        <div className={classes.empty}>
          {list.error === '' ? <p>{t(EMPTY[narrow.kind])}</p> : <Failed list={list} near={near} />}
          <PendingRows narrow={narrow} />
        </div>
      ) : (
        <MessageRows key={`${list.generation} ${near ?? ''}`} list={list} near={near} />
      )}
      <TypingNote narrow={narrow} />
    </main>
  );
}

function Failed({ list, near }: { list: MessageList; near: number | undefined }) {
  return (
    <div className={classes.failed} role="alert">
      <p>{t('list.failed')}</p>
      <p>{list.error}</p>
      <Button variant="light" onClick={() => void openList(list.narrow, near)}>
        {t('action.retry')}
      </Button>
    </div>
  );
}
