/** The page around the messages that are painted first: empty, and as large as what React puts there. */
import type { ReactElement, ReactNode } from 'react';
import { t } from '../../shared/texts/texts';
import { targetOf } from '../compose/target';
import type { Narrow } from '../data/narrow';
import { setting } from '../data/store';
import compose from '../compose/compose.module.css';
import lists from '../list/message-list.module.css';
import people from '../people/people-panel.module.css';
import shell from '../../shared/shell/shell.module.css';

export function frameAround(narrow: Narrow, top: string, rows: ReactNode): ReactElement {
  return (
    <div className={shell.shell} inert>
      <div className={shell.side} />
      <div className={shell.middle}>
        <div className={shell.head} />
        <div className={lists.panes}>
          <div className={lists.pane}>
            <div className={lists.rows}>
              <div className={lists.scroller} data-painted>
                <div className={lists.content}>
                  <div className={lists.top}>{top}</div>
                  <div>{rows}</div>
                  <div className={lists.end} />
                </div>
              </div>
            </div>
            {narrow.kind === 'private' && <div className={lists.typing} />}
          </div>
        </div>
        <div className={compose.compose}>{targetOf(narrow) ? box() : openers()}</div>
      </div>
      <div className={people.panel} />
    </div>
  );
}

const box = (): ReactElement => (
  <>
    <div className={compose.box}>
      <div className={compose.target}>
        <input className={compose.standIn} />
      </div>
      <div className={compose.text}>
        {/* What text-box.tsx makes of an empty one. */}
        <textarea rows={1} style={{ height: 42 }} />
      </div>
      <div className={compose.tools}>
        <button type="button" className={compose.send} style={{ visibility: 'hidden' }}>
          {t('compose.send')}
        </button>
      </div>
    </div>
    <p className={compose.keys}>{t(setting('enter_sends', false) ? 'compose.enterSends' : 'compose.controlSends')}</p>
  </>
);

const openers = (): ReactElement => (
  <div className={compose.openers}>
    <button type="button" style={{ visibility: 'hidden' }}>
      {t('compose.newTopic')}
    </button>
  </div>
);
