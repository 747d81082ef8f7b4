/** Does something here while an answer is on its way; what fails first fails both, and nothing is left unheard. */
export async function meanwhile<Answer, Done>(asked: Promise<Answer>, work: () => Done): Promise<[Answer, Done]> {
  return Promise.all([asked, (async () => work())()]);
}
