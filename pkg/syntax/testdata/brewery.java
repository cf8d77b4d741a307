package org.example.brewery;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;

/** Runs the kettles of a brewery. */
@Deprecated(since = "3", forRemoval = false)
public final class Brewery implements AutoCloseable {
    public static final int MAX_BATCHES = 24;
    private static final Map<String, Double> HOPS = Map.of("saaz", 3.5, "cascade", 5.75);
    static final double MIN_ALPHA = 1.5, MAX_ALPHA = 18;

    static {
        Registry.register("brewery");
    }

    private final List<Batch> batches = new ArrayList<>();
    protected volatile boolean open;
    @Inject
    private transient Supplier<Kettle> kettles;
    int[] levels = {1, 2, 3}, marks;

    {
        open = true;
    }

    public Brewery() {
        this(Kettle::new);
    }

    @Inject
    public Brewery(Supplier<Kettle> kettles) {
        this.kettles = kettles;
    }

    @Override
    public void close() throws IllegalStateException {
        if (!open) {
            throw new IllegalStateException("closed twice");
        }
        open = false;
    }

    public Batch brew(Recipe recipe) {
        return brew(recipe, 1);
    }

    public Batch brew(Recipe recipe, int litres) {
        final int limit = MAX_BATCHES - 1;
        if (batches.size() > limit || litres <= 0) {
            throw new IllegalArgumentException("cannot brew " + litres);
        }
        var batch = new Batch(recipe, litres) {
            @Override
            public String toString() {
                return "batch of " + litres;
            }
        };
        batches.add(batch);
        return batch;
    }

    protected <T extends Comparable<T>> T best(List<? extends T> list, T fallback) {
        T best = fallback;
        for (T each : list) {
            best = each.compareTo(best) > 0 ? each : best;
        }
        return best;
    }

    synchronized CompletableFuture<Double> bitterness(Recipe recipe) {
        return CompletableFuture.supplyAsync(() -> {
            double sum = 0;
            for (Map.Entry<String, Integer> hop : recipe.hops().entrySet()) {
                sum += HOPS.getOrDefault(hop.getKey(), MIN_ALPHA) * hop.getValue();
            }
            return sum / 10;
        });
    }

    static String label(Object thing) {
        return switch (thing) {
            case Batch b when b.litres > 100 -> "large";
            case Batch b -> "small";
            case Style s -> s.name().toLowerCase();
            default -> String.valueOf(thing);
        };
    }

    native long weigh(int kettle);

    public enum Style {
        LAGER(8) {
            @Override
            Duration rest() {
                return Duration.ofDays(40);
            }
        },
        ALE(18),
        STOUT;

        private final int celsius;
        static final Style DEFAULT = ALE;

        Style() {
            this(16);
        }

        Style(int celsius) {
            this.celsius = celsius;
        }

        Duration rest() {
            return Duration.ofDays(14);
        }
    }

    public record Recipe(String name, @Key("hops") Map<String, Integer> hops, Style style) {
        static final Recipe EMPTY = new Recipe("empty");

        public Recipe {
            if (name.isBlank()) {
                throw new IllegalArgumentException("a recipe needs a name");
            }
        }

        Recipe(String name) {
            this(name, Map.of(), Style.DEFAULT);
        }

        double grams() {
            return hops.values().stream().mapToInt(Integer::intValue).sum();
        }
    }

    public static class Batch {
        final Recipe recipe;
        final int litres;
        private State state = State.MASHING;

        Batch(Recipe recipe, int litres) {
            this.recipe = recipe;
            this.litres = litres;
        }

        enum State { MASHING, BOILING, COOLING; }

        class Sample {
            double gravity = 1.048;

            void measure() {
                gravity -= 0.002;
            }
        }
    }

    sealed interface Vessel permits Kettle, Tank {
        int VOLUME = 500;

        void fill(int litres);

        default boolean empty() {
            return volume() == 0;
        }

        int volume();

        static Vessel smallest(Vessel a, Vessel b) {
            return a.volume() < b.volume() ? a : b;
        }
    }

    static non-sealed class Kettle implements Vessel {
        private int volume;

        public void fill(int litres) {
            volume += litres;
        }

        public int volume() {
            return volume;
        }
    }

    record Tank(int volume) implements Vessel {
        public void fill(int litres) {
            throw new UnsupportedOperationException();
        }
    }
}

@interface Key {
    String value() default "";

    int[] order() default {1, 2};
}

interface Pour<T> extends Function<T, Integer> {
    @Override
    Integer apply(T from);
}
