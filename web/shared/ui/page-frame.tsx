/** What stands around every page: Mantine with static styles only, so that no style is ever made while the page runs. */
import { createTheme, MantineProvider } from '@mantine/core';
import type { ReactNode } from 'react';
import { useColorScheme } from './appearance';
import { Toasts } from './toasts';
import '../style/mantine.css';
import '../style/tokens.css';

const theme = createTheme({
  primaryColor: 'indigo',
  autoContrast: true,
  cursorType: 'pointer',
  // The placeholder is a child that a menu may not have.
  components: { Menu: { defaultProps: { withInitialFocusPlaceholder: false } } },
});

export function PageFrame({ children }: { children: ReactNode }) {
  const scheme = useColorScheme();
  return (
    <MantineProvider theme={theme} forceColorScheme={scheme} withCssVariables={false} withGlobalClasses={false}>
      {children}
      <Toasts />
    </MantineProvider>
  );
}
