/** Each PBX with its number of extensions, and what the last comparison with it has found. */
import { Link } from 'wouter';
import { FormError, Section } from '../../shared/forms/section';
import { RequestError } from '../../shared/http/request';
import { Badge, type Tone } from '../../shared/tables/table';
import { ago } from '../../shared/texts/dates';
import { refusalText } from '../../shared/texts/refusals';
import { t } from '../../shared/texts/texts';
import { api } from '../http/api';
import { useLoaded } from '../http/use-loaded';
import type { Instance } from '../wire';
import classes from './start.module.css';

interface Comparison {
  readonly at: string;
  readonly is_complete: boolean;
  readonly detail: string;
  readonly missing: readonly number[];
  readonly changed: readonly number[];
  readonly repaired: readonly number[];
  readonly stuck: readonly { readonly number: number }[];
}

interface Card {
  readonly instance: Instance;
  readonly extensions: number;
  /** Undefined before the first. */
  readonly comparison: Comparison | undefined;
}

async function loadCards(): Promise<Card[]> {
  const { items } = await api.list<Instance>('/instances');
  return Promise.all(
    items.map(async (instance) => {
      const [extensions, comparison] = await Promise.all([
        api.list(`/instances/${instance.uuid}/bulks/extensions`, { page_size: 1 }),
        api.get<Comparison>(`/instances/${instance.uuid}/drift`).catch(unlessNone),
      ]);
      return { instance, extensions: extensions.total, comparison };
    }),
  );
}

function unlessNone(error: unknown): undefined {
  if (!(error instanceof RequestError && error.status === 404)) throw error;
}

function stateOf(comparison: Comparison | undefined): { readonly tone: Tone; readonly text: string } {
  if (!comparison) return { tone: '', text: t('portal.pbx.new') };
  const { is_complete: isComplete, detail, missing, changed, repaired, stuck } = comparison;
  const wrong = new Set([...missing, ...changed, ...stuck.map(({ number }) => number)]);
  for (const number of repaired) wrong.delete(number);
  if (wrong.size > 0) return { tone: 'bad', text: t('portal.pbx.wrong', { count: wrong.size }) };
  if (!isComplete && detail !== '') return { tone: 'bad', text: refusalText(detail) };
  return { tone: 'good', text: t('portal.pbx.alike') };
}

export function PbxCards() {
  const cards = useLoaded('cards', loadCards);
  return (
    <Section title={t('portal.pbxs')}>
      <FormError text={cards.error} />
      {cards.value?.length === 0 && <p>{t('portal.noInstance')}</p>}
      <div className={classes.cards}>
        {cards.value?.map(({ instance: { uuid, fqdn }, extensions, comparison }) => {
          const { tone, text } = stateOf(comparison);
          return (
            <Link key={uuid} href={`/extensions/${uuid}`} className={classes.card}>
              <b>{fqdn}</b>
              <span>{t('portal.pbx.extensions', { count: extensions })}</span>
              <Badge tone={tone}>{text}</Badge>
              {comparison && <small>{t('portal.pbx.compared', { ago: ago(Date.parse(comparison.at) / 1000) })}</small>}
            </Link>
          );
        })}
      </div>
    </Section>
  );
}
