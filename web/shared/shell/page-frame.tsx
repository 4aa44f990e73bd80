/** The root of every page: Mantine with static styles only, so that no style is created at runtime. */
import { createTheme, DirectionProvider, MantineProvider } from '@mantine/core';
import { StrictMode, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { useLanguage } from '../texts/texts';
import { useColorScheme } from '../ui/appearance';
import { Toasts } from '../ui/toasts';
import '../style/mantine.css';
import '../style/tokens.css';
import '../style/touch.css';

const theme = createTheme({
  primaryColor: 'indigo',
  autoContrast: true,
  cursorType: 'pointer',
  // The focus placeholder is not a valid child of a menu.
  components: { Menu: { defaultProps: { withInitialFocusPlaceholder: false } } },
});

function PageFrame({ children }: { children: ReactNode }) {
  const scheme = useColorScheme();
  useLanguage();
  const direction = document.dir === 'rtl' ? 'rtl' : 'ltr';
  return (
    <DirectionProvider key={direction} initialDirection={direction} detectDirection={false}>
      <MantineProvider theme={theme} forceColorScheme={scheme} withCssVariables={false} withGlobalClasses={false}>
        {children}
        <Toasts />
      </MantineProvider>
    </DirectionProvider>
  );
}

export function drawPage(page: ReactNode): void {
  createRoot(document.getElementById('root')!).render(
    <StrictMode>
      <PageFrame>{page}</PageFrame>
    </StrictMode>,
  );
}
