/**
 * A field that offers matches while somebody types. Enter chooses the first one. What was typed never disappears: it stays, marked
 * as unknown, unless exactly one thing fits it.
 */
import { useId, type ReactNode } from 'react';
import { useCombo } from './use-combo';
import classes from './combo-field.module.css';

export interface Choice<Value> {
  readonly key: string | number;
  readonly name: string;
  readonly hint?: string;
  readonly picture?: ReactNode;
  /** Shown in place of picture, name and hint. */
  readonly row?: ReactNode;
  readonly value: Value;
}

export interface ComboFieldProps<Value> {
  readonly id: string;
  readonly label: string;
  /** The text while nobody types. */
  readonly text: string;
  readonly className?: string | undefined;
  readonly find: (typed: string) => readonly Choice<Value>[];
  readonly onPick: (value: Value) => void;
  /** The field may hold any text: matches are only offered. */
  readonly onType?: (text: string) => void;
  /** After Enter or a click. `hasPicked`: on a match. */
  readonly onDone: (hasPicked: boolean) => void;
  readonly onBackspace?: () => void;
  readonly maxLength?: number;
}

export function ComboField<Value>(props: ComboFieldProps<Value>) {
  const { id, label, onDone } = props;
  const listId = useId();
  const { choices, chosen, shown, isUnknown, open, pick, type, leave, onKeyDown } = useCombo(props);
  return (
    <span className={`${classes.field} ${props.className ?? ''}`}>
      <input
        id={id}
        role="combobox"
        aria-label={label}
        aria-expanded={choices.length > 0}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={choices[chosen] && `${listId}-${chosen}`}
        aria-invalid={isUnknown || undefined}
        placeholder={label}
        autoComplete="off"
        maxLength={props.maxLength}
        value={shown}
        onFocus={(event) => {
          event.currentTarget.select();
          open();
        }}
        onClick={open}
        onChange={(event) => type(event.currentTarget.value)}
        onKeyDown={onKeyDown}
        onBlur={leave}
      />
      <ul id={listId} role="listbox" aria-label={label} className={classes.list} hidden={choices.length === 0}>
        {choices.map((choice, index) => (
          <li
            key={choice.key}
            id={`${listId}-${index}`}
            role="option"
            aria-selected={index === chosen}
            ref={index === chosen ? (row) => row?.scrollIntoView({ block: 'nearest' }) : undefined}
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => {
              pick(choice);
              onDone(true);
            }}
          >
            {choice.row ?? (
              <>
                {choice.picture}
                <b>{choice.name}</b>
                {choice.hint !== undefined && <span>{choice.hint}</span>}
              </>
            )}
          </li>
        ))}
      </ul>
    </span>
  );
}
