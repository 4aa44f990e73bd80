/** The side bar: general views, streams with topics, private conversations, own menu. */
import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { SideBar } from '../../shared/shell/side-bar';
import { t } from '../../shared/texts/texts';
import { IconButton } from '../../shared/ui/icon-button';
import { Mark } from '../../shared/ui/mark';
import { placeAt } from '../data/narrow';
import { useSetting } from '../data/store';
import { showDialog } from '../dialogs/dialogs';
import { GeneralViews } from './general-views';
import { OwnMenu } from './own-menu';
import { PrivateList } from './private-list';
import { SideFilter } from './side-filter';
import { StreamList } from './stream-list';

export function ChatSide() {
  const name = useSetting('realm_name', '');
  const icon = useSetting('realm_icon_url', '');
  const [location] = useLocation();
  const [filter, setFilter] = useState('');
  useEffect(() => setFilter(''), [location]);
  const narrow = placeAt(location)?.narrow;
  return (
    <SideBar
      name={name}
      mark={<Mark organisation={icon} size={24} />}
      label={t('side.label')}
      tools={<IconButton icon="search" label={t('palette.open')} onClick={() => showDialog({ kind: 'palette' })} />}
      foot={<OwnMenu />}
    >
      <GeneralViews path={location} />
      <SideFilter filter={filter} onChange={setFilter} />
      <StreamList current={narrow} filter={filter} />
      <PrivateList current={narrow} filter={filter} />
    </SideBar>
  );
}
