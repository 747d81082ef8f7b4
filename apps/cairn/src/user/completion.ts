import { namedCalls } from './calls.ts';
import { UsageError } from './failures.ts';
import { COMMON_OPTIONS } from './common-options.ts';
import type { Session } from './session.ts';
import type { Verb } from './verb.ts';

const SHELLS: ReadonlyMap<string, (after: Words) => string> = new Map([
  ['bash', bashScript],
  ['zsh', zshScript],
  ['fish', fishScript],
]);
type Words = ReadonlyMap<string, readonly string[]>;

/** `cairn completion bash`: what a shell loads. */
export function printCompletion(
  session: Pick<Session, 'answer'>,
  shell: string,
  verbs: readonly Verb[],
  installation: readonly string[],
): void {
  const script = SHELLS.get(shell);
  if (script === undefined) throw new UsageError(`There is completion for ${[...SHELLS.keys()].join(', ')}.`);
  session.answer(script(wordsAfter(verbs, installation)));
}

/** What can follow each beginning of a command: `documents` is followed by `list`. */
export function wordsAfter(verbs: readonly Verb[], installation: readonly string[]): Map<string, string[]> {
  const after = new Map<string, string[]>();
  const add = (path: string, word: string) => {
    const words = after.get(path) ?? [];
    if (!words.includes(word)) words.push(word);
    after.set(path, words);
  };
  for (const { name, options = [] } of verbs) {
    const parts = name.split(' ');
    parts.forEach((part, at) => add(parts.slice(0, at).join(' '), part));
    for (const [flags] of [...options, ...COMMON_OPTIONS]) add(name, flags.split(' ')[0]!);
  }
  for (const name of installation) add('', name);
  for (const { id } of namedCalls()) add('call', id);
  for (const shell of SHELLS.keys()) add('completion', shell);
  return after;
}

function bashScript(after: Words): string {
  const cases = [...after].map(([path, words]) => `    "${path}") words="${words.join(' ')}" ;;`);
  const known = [...after.keys()].filter((path) => path !== '').map((path) => `"${path}"`);
  return `# Load it with: source <(cairn completion bash)
_cairn() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" at="" next words="" i
  for ((i = 1; i < COMP_CWORD; i++)); do
    next="\${at:+$at }\${COMP_WORDS[i]}"
    case "$next" in
      ${known.join('|')}) at="$next" ;;
    esac
  done
  case "$at" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F _cairn cairn`;
}

function zshScript(after: Words): string {
  return `autoload -Uz +X compinit bashcompinit && compinit && bashcompinit
${bashScript(after).replace('source <(cairn completion bash)', 'source <(cairn completion zsh)')}`;
}

function fishScript(after: Words): string {
  const groups = new Set([...after.keys()].filter((path) => path.includes(' ')).map((path) => path.split(' ')[0]!));
  return [
    '# Load it with: cairn completion fish | source',
    ...[...after].map(([path, words]) => {
      const [first, second] = path.split(' ');
      const isGroup = groups.has(first!) && second === undefined;
      const seen = path.split(' ').map((word) => `__fish_seen_subcommand_from ${word}`);
      const when =
        path === ''
          ? '__fish_use_subcommand'
          : isGroup
            ? `${seen[0]}; and not __fish_seen_subcommand_from ${words.join(' ')}`
            : seen.join('; and ');
      return `complete -c cairn ${path === '' || isGroup ? '-f ' : ''}-n '${when}' -a '${words.join(' ')}'`;
    }),
  ].join('\n');
}
