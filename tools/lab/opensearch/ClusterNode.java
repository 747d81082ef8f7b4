import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.codelibs.opensearch.runner.node.OpenSearchRunnerNode;
import org.opensearch.analysis.common.CommonAnalysisPlugin;
import org.opensearch.common.settings.Settings;
import org.opensearch.env.Environment;
import org.opensearch.index.reindex.ReindexPlugin;
import org.opensearch.node.InternalSettingsPreparer;
import org.opensearch.painless.PainlessPlugin;
import org.opensearch.transport.Netty4Plugin;

/**
 * One node of a cluster as a process of its own, so that a spec can kill it. Arguments: folder, name, HTTP port,
 * transport ports of all nodes (its own first, comma-separated), names of the nodes (comma-separated).
 */
public final class ClusterNode {
  public static void main(String[] args) throws Exception {
    Path home = Path.of(args[0]).toAbsolutePath();
    Files.createDirectories(home.resolve("config"));
    List<String> seeds = List.of(args[3].split(",")).stream().map(port -> "127.0.0.1:" + port).toList();
    Settings settings =
        Settings.builder()
            .put("path.home", home.toString())
            .put("cluster.name", "cairn-specs")
            .put("node.name", args[1])
            .put("network.host", "127.0.0.1")
            .put("http.port", args[2])
            .put("transport.port", args[3].split(",")[0])
            .putList("discovery.seed_hosts", seeds)
            .putList("cluster.initial_cluster_manager_nodes", args[4].split(","))
            .put("cluster.routing.allocation.disk.threshold_enabled", false)
            .put("node.store.allow_mmap", Boolean.getBoolean("cairn.mmap"))
            .put("bootstrap.memory_lock", false)
            .build();
    Environment environment = InternalSettingsPreparer.prepareEnvironment(settings, Map.of(), null, () -> args[1]);
    OpenSearchRunnerNode node =
        new OpenSearchRunnerNode(
            environment,
            List.of(
                Netty4Plugin.class,
                CommonAnalysisPlugin.class,
                PainlessPlugin.class,
                ReindexPlugin.class));
    node.start();
    // Whoever started it holds the other end: a node does not outlive its spec.
    while (System.in.read() != -1) {}
    node.close();
    System.exit(0);
  }
}
