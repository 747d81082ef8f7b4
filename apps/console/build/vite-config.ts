import type { InlineConfig } from 'vite';

/** No inline script and no inlined file: the gateway's policy refuses both. */
export function viteConfig(root: string, outDir: string): InlineConfig {
  return {
    root,
    base: '/console/',
    configFile: false,
    logLevel: 'error',
    build: {
      outDir,
      emptyOutDir: true,
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      manifest: true,
      target: 'es2023',
      reportCompressedSize: false,
    },
    oxc: { jsx: { runtime: 'automatic' } },
  };
}
