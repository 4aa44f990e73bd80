/** What a search finds in the texts of all conversations, the newest first. A click opens the conversation there. */
import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import { messageOf } from '../../shared/http/message-of';
import { ago } from '../../shared/texts/dates';
import { t } from '../../shared/texts/texts';
import { toast } from '../../shared/ui/toasts';
import { api } from '../http/api';
import { titleOf, type Conversation } from './wire';
import classes from './texting.module.css';

interface FoundText extends Pick<Conversation, 'name' | 'contactsinfo'> {
  readonly id: string;
  readonly conversation_id: string;
  readonly text: string;
  readonly created_at: string;
}

interface Found {
  readonly words: string;
  readonly texts: readonly FoundText[];
  readonly next: string | undefined;
}

const LEAST = 2;
/** One does not stop for as long while writing. */
const PAUSE_MS = 400;
const NOTHING: Found = { words: '', texts: [], next: undefined };

export function FoundTexts({ words }: { words: string }) {
  const [found, setFound] = useState(NOTHING);
  const isAsked = words.length >= LEAST;
  useEffect(() => {
    if (!isAsked) return undefined;
    let isOver = false;
    const timer = setTimeout(() => {
      load(words, NOTHING).then(
        (fresh) => isOver || setFound(fresh),
        (error: unknown) => isOver || toast(messageOf(error), true),
      );
    }, PAUSE_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [words, isAsked]);
  if (!isAsked || found.words !== words) return null;
  const more = (): void => {
    load(words, found).then(setFound, (error: unknown) => toast(messageOf(error), true));
  };
  return (
    <section aria-label={t('portal.foundTexts')}>
      <h2 className={classes.foundHead}>{t('portal.foundTexts')}</h2>
      <ul>
        {found.texts.map((text) => (
          <li key={text.id}>
            <Link href={`/texting/${text.conversation_id}/${text.id}`} className={classes.entry}>
              <span className={classes.name}>{titleOf(text)}</span>
              <small>
                {ago(Date.parse(text.created_at) / 1000)} · {around(text.text, words)}
              </small>
            </Link>
          </li>
        ))}
      </ul>
      {found.texts.length === 0 && <p className={classes.dim}>{t('portal.noFoundTexts')}</p>}
      {found.next !== undefined && (
        <Button size="compact-sm" variant="subtle" onClick={more}>
          {t('portal.searchOlder')}
        </Button>
      )}
    </section>
  );
}

async function load(words: string, before: Found): Promise<Found> {
  const { items, next } = await api.slice<FoundText>('/portal/api/text-search', { search: words, cursor: before.next });
  return { words, texts: [...before.texts, ...items], next };
}

const BEFORE = 20;
const LENGTH = 80;

/** The words and what stands around them. */
function around(text: string, words: string): string {
  const at = Math.max(0, text.toLowerCase().indexOf(words.toLowerCase()) - BEFORE);
  return `${at > 0 ? '…' : ''}${text.slice(at, at + LENGTH)}`;
}
