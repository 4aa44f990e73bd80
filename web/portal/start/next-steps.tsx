/** What a new company still lacks. Gone once all of it is there. */
import { Link } from 'wouter';
import { FormError, Section } from '../../shared/forms/section';
import { t, type TextKey } from '../../shared/texts/texts';
import { Icon } from '../../shared/ui/icon';
import { api, type Listed } from '../http/api';
import { useLoaded } from '../http/use-loaded';
import type { Instance } from '../wire';
import classes from './start.module.css';

interface Step {
  readonly text: TextKey;
  readonly isDone: boolean;
  /** Undefined if the operator of the server does it. */
  readonly href?: string;
}

const ONE = { items_per_page: 1 };
const hasAny = ({ total }: Listed<unknown>): boolean => total > 0;

async function loadSteps(): Promise<Step[]> {
  const [instances, people, numbers] = await Promise.all([
    api.list<Instance>('/instances'),
    api.list('/system/company/contacts', ONE),
    api.list('/texting/numbers', ONE),
  ]);
  const extensions = await Promise.all(
    instances.items.map(({ uuid }) => api.list(`/instances/${uuid}/bulks/extensions`, ONE)),
  );
  return [
    { text: 'portal.step.pbx', isDone: hasAny(instances) },
    { text: 'portal.step.extension', isDone: extensions.some(hasAny), href: '/extensions' },
    // The owner is one of them.
    { text: 'portal.step.people', isDone: people.total > 1, href: '/people' },
    { text: 'portal.step.number', isDone: hasAny(numbers) },
  ];
}

export function NextSteps() {
  const { value: steps, error } = useLoaded('steps', loadSteps);
  if (!steps) return <FormError text={error} />;
  if (steps.every(({ isDone }) => isDone)) return null;
  return (
    <Section title={t('portal.nextSteps')}>
      <ul className={classes.steps}>
        {steps.map(({ text, isDone, href }) => (
          <li key={text} data-done={isDone || undefined}>
            {/* Its place stays, so that the texts stand below each other. */}
            <Icon name={isDone ? 'check' : 'blank'} size={18} />
            {isDone || href === undefined ? t(text) : <Link href={href}>{t(text)}</Link>}
            {isDone && <span className={classes.hidden}>{t('portal.step.done')}</span>}
            {!isDone && href === undefined && <small>{t('portal.step.operator')}</small>}
          </li>
        ))}
      </ul>
    </Section>
  );
}
