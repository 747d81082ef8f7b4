/** The part of a service's configuration that says where NATS is: one server, without TLS. */
export function brokerAt(natsUrl: string) {
  return {
    natsUrl,
    eventsReplicas: undefined,
    natsCaFile: undefined,
    natsCertificateFile: undefined,
    natsCertificateKeyFile: undefined,
    natsCredentialsFile: undefined,
    natsNkeySeedFile: undefined,
  };
}
