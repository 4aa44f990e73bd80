import { t } from '../../shared/texts/texts';
import { PersonRow } from '../people/person-row';
import type { Completion } from './complete';
import classes from './completions.module.css';

interface CompletionsProps {
  readonly completions: readonly Completion[];
  readonly chosen: number;
  readonly onPick: (completion: Completion) => void;
}

/** Completions for the word at the caret, shown above the text so that they never cover it. */
export function Completions({ completions, chosen, onPick }: CompletionsProps) {
  if (completions.length === 0) return null;
  return (
    <ul id="compose-completions" role="listbox" aria-label={t('compose.completions')} className={classes.list}>
      {completions.map((completion, index) => (
        <li
          key={completion.text}
          id={`compose-completion-${index}`}
          role="option"
          aria-selected={index === chosen}
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onPick(completion)}
        >
          {completion.picture !== undefined && <img src={completion.picture} alt="" />}
          {completion.person ? (
            <PersonRow person={completion.person} size={24} />
          ) : (
            <>
              <b>{completion.name}</b>
              <span className={classes.hint}>{completion.hint}</span>
            </>
          )}
        </li>
      ))}
    </ul>
  );
}
