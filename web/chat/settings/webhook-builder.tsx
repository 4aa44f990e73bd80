/** Builds the webhook URL for an integration, shows its documentation, and sends a sample. */
import { Button, Select, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import { messageOf } from '../../shared/http/message-of';
import { fetchText } from '../../shared/http/request';
import { t } from '../../shared/texts/texts';
import { copyText } from '../../shared/ui/copy-text';
import { toast } from '../../shared/ui/toasts';
import { pathOf, conversationOf } from '../data/narrow';
import { useChat, useSetting } from '../data/store';
import type { Bot, Message } from '../data/wire';
import { RichText } from '../message/rich-text';
import { inOrder } from '../side/stream-groups';
import { sampleIn, sendSample, type Sample } from './webhook-sample';
import { useWork } from './use-work';
import { FormError } from '../../shared/forms/section';
import forms from '../../shared/forms/form.module.css';

export function WebhookBuilder({ bot }: { bot: Bot }) {
  const integrations = useSetting<readonly { name: string }[]>('realm_incoming_webhook_bots', []);
  const subscriptions = useChat((state) => state.subscriptions);
  const [name, setName] = useState('github');
  const [stream, setStream] = useState<string | null>(null);
  const [topic, setTopic] = useState('');
  const page = useDocumentation(name);
  const address = addressOf({ name, key: bot.api_key, stream: stream ?? '', topic: topic.trim() });
  const copy = async (): Promise<void> => {
    await copyText(address);
    toast(t('webhook.copied'));
  };
  return (
    <div className={forms.form}>
      <Select
        label={t('webhook.integration')}
        data={integrations.map((each) => each.name)}
        value={name}
        searchable
        allowDeselect={false}
        onChange={(value) => setName(value ?? name)}
      />
      <Select
        label={t('compose.stream')}
        description={t('webhook.streamHint')}
        data={inOrder(subscriptions.values()).map((each) => each.name)}
        value={stream}
        searchable
        clearable
        onChange={setStream}
      />
      <TextInput
        label={t('compose.topic')}
        description={t('webhook.topicHint')}
        value={topic}
        maxLength={60}
        onChange={(event) => setTopic(event.currentTarget.value)}
      />
      <code className={forms.code}>{address}</code>
      <div className={forms.actions}>
        <Button onClick={() => void copy()}>{t('webhook.copy')}</Button>
      </div>
      <Try key={name} address={address} sample={page.sample} />
      {page.html !== '' && (
        <details open>
          <summary>{t('webhook.documentation')}</summary>
          <RichText html={page.html} />
        </details>
      )}
    </div>
  );
}

interface Address {
  readonly name: string;
  readonly key: string;
  readonly stream: string;
  readonly topic: string;
}

function addressOf({ name, key, stream, topic }: Address): string {
  const query = new URLSearchParams({ api_key: key });
  if (stream !== '') query.set('stream', stream);
  if (topic !== '') query.set('topic', topic);
  return `${location.origin}/api/v1/external/${name}?${query.toString()}`;
}

function useDocumentation(name: string): { html: string; sample: Sample | undefined } {
  const [page, setPage] = useState<{ html: string; sample: Sample | undefined }>({ html: '', sample: undefined });
  useEffect(() => {
    let isWanted = true;
    fetchText(`/docs/integrations/${name}`).then(
      (text) => isWanted && setPage({ html: bodyOf(text), sample: sampleIn(bodyOf(text)) }),
      () => isWanted && setPage({ html: '', sample: undefined }),
    );
    return () => {
      isWanted = false;
    };
  }, [name]);
  return page;
}

/**
 * The page without its style, which the content security policy forbids, without links to other pages, and without the
 * example message, because the user can send the sample here.
 */
const bodyOf = (page: string): string =>
  (/<\/h1>([\s\S]*)<\/main>/.exec(page)?.[1] ?? '').replace(
    /<h2>[^<]*<\/h2>\n<div class="example">[\s\S]*?<\/article>\n<\/div>/,
    '',
  );

function Try({ address, sample }: { address: string; sample: Sample | undefined }) {
  const [message, setMessage] = useState<Message>();
  const [error, setError] = useState('');
  const ownId = useChat((state) => state.ownId);
  const { isBusy, run } = useWork();
  if (!sample) return null;
  const send = (): void =>
    void run(async () => {
      setError('');
      try {
        setMessage(await sendSample(address, sample));
      } catch (reason) {
        setError(messageOf(reason));
      }
    }, '');
  return (
    <div>
      <Button variant="light" loading={isBusy} onClick={send}>
        {t('webhook.try')}
      </Button>
      <FormError text={error} />
      {message && (
        <div role="status">
          <p>
            {t('webhook.arrived')}{' '}
            <Link href={pathOf(conversationOf(message, ownId), message.id)}>
              {message.subject || t('webhook.there')}
            </Link>
          </p>
          <blockquote>
            <RichText html={message.content} />
          </blockquote>
        </div>
      )}
    </div>
  );
}
