package harbour.fare;

import java.util.*;
import java.util.function.Function;

/** Fares of a taxi. */
@Entity(name = "fare")
public class Fare<T extends Number> extends Base implements Quote, Comparable<Fare<T>> {
    public static final int MAX = 100, MIN = 1;
    @Inject
    private Map<String, List<T>> rates = new HashMap<>();
    protected volatile long total;

    static {
        Registry.add(Fare.class);
    }

    enum Zone implements Priced {
        CITY(1) {
            @Override
            long price() {
                return 1;
            }
        },
        @Deprecated
        RURAL(2);

        private final int factor;

        Zone(int factor) {
            this.factor = factor;
        }

        long price() {
            return factor;
        }
    }

    interface Quote {
        long DEFAULT = 3L;

        long price(int km);

        default long twice(int km) {
            return price(km) * 2;
        }
    }

    record Trip(int km, @NonNull String from) {
        static final Trip NONE = new Trip(0, "");

        Trip {
            if (km < 0) throw new IllegalArgumentException();
        }

        int metres() {
            return km * 1000;
        }
    }

    @interface Audited {
        String value() default "none";

        int level() default 1;
    }

    sealed interface Shape permits Round {}

    static final class Round implements Shape {
        int radius;

        class Deep {
            void reach() {}
        }
    }

    public Fare() {
        this(null);
    }

    public Fare(Map<String, List<T>> rates) {
        this.rates = rates;
    }

    // The day fare.
    public long quote(int km) {
        return 8000L + 1500L * km;
    }

    public long quote(int km, boolean night) throws FareException {
        long base = quote(km);
        Function<Long, Long> half = x -> x / 2;
        Runnable r = new Runnable() {
            @Override
            public void run() {
                int local = 1;
            }
        };
        return night ? base * 3 / 2 : base; // night
    }

    @Audited("refund")
    @Override
    public synchronized <R> void refund(String ticket, R... reasons) {
        String text = """
            refund
            of %s
            """.formatted(ticket);
        ledger.reverse(text);
    }

    @Override
    public int compareTo(Fare<T> other) {
        return switch (other) {
            case null -> 1;
            default -> 0;
        };
    }

    abstract static class Hidden {
        abstract void show();
    }
}

class Helper {
    int help;
}
