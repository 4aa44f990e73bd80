/** The root of every page: Mantine with static styles only, so that no style is created at runtime. */
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
  // The focus placeholder is not a valid child of a menu.
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
