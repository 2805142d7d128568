// SPDX-License-Identifier: MIT
// @promise 13
pragma solidity ^0.8.28;

import {Test} from "../Test.sol";
import {Handler, Reached} from "./Handler.sol";

/// @dev A cheat code of forge: a test has the gas of one block, which a long run exceeds.
interface GasMeter {
    function resetGasMetering() external;
}

/// @dev forge prints the number of calls by kind; `FOUNDRY_PROFILE=ci` makes more of them.
contract SmartBalanceInvariants is Test {
    struct FuzzSelector {
        address addr;
        bytes4[] selectors;
    }

    event log_named_uint(string key, uint256 value);

    uint256 private constant MAX_RUNS = 32;
    uint256 private constant STEPS = 100;

    Handler private handler;

    function setUp() public {
        handler = new Handler();
        handler.setUp();
    }

    function targetContracts() public view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(handler);
    }

    function targetSelectors() public view returns (FuzzSelector[] memory targets) {
        targets = new FuzzSelector[](1);
        targets[0].addr = address(handler);
        bytes4[] memory selectors = new bytes4[](20);
        selectors[0] = Handler.deposit.selector;
        selectors[1] = Handler.requestExit.selector;
        selectors[2] = Handler.cancelExit.selector;
        selectors[3] = Handler.finalizeExit.selector;
        selectors[4] = Handler.withdraw.selector;
        selectors[5] = Handler.repeatWithdrawal.selector;
        selectors[6] = Handler.changePin.selector;
        selectors[7] = Handler.ownerTakesLiquidity.selector;
        selectors[8] = Handler.pauseSettlement.selector;
        // More likely than the others, since orders are the protocol's main purpose.
        selectors[9] = selectors[10] = selectors[11] = Handler.order.selector;
        selectors[12] = selectors[13] = Handler.settle.selector;
        selectors[14] = selectors[15] = Handler.steal.selector;
        // Time must pass for exits to become ready.
        selectors[16] = selectors[17] = Handler.wait.selector;
        selectors[18] = Handler.issuerTakes.selector;
        selectors[19] = Handler.exceedCap.selector;
        targets[0].selectors = selectors;
    }

    /// @dev The numbers are those of docs/audit/invariants.md: 1 to 3 by `check`, 4 by `checkOutcomes`, the others by what
    /// the handler has seen.
    function invariant_ledger() public {
        for (uint256 id; id < 2; ++id) {
            handler.check(id);
            handler.checkOutcomes(id);
        }
        if (bytes(handler.broken()).length != 0) revert NotTrue(handler.broken());
    }

    /// @dev The same actions, until each state was reached: a campaign that cannot reach one proves nothing about it. The
    /// counts are shown with -vv.
    function test_reachesEveryState() public {
        uint256[26] memory counts;
        uint256 runs;
        bool isComplete;
        while (runs < MAX_RUNS && !isComplete) {
            if (++runs > 1) setUp();
            for (uint256 i; i < STEPS; ++i) {
                _act(uint256(keccak256(abi.encode(runs, i))));
                GasMeter(address(vm)).resetGasMetering();
            }
            invariant_ledger();
            isComplete = true;
            for (uint256 i; i < counts.length; ++i) {
                counts[i] += handler.reached(Reached(i));
                if (counts[i] == 0) isComplete = false;
            }
        }
        emit log_named_uint("runs", runs);
        string[26] memory names = [
            "claimed",
            "claimed twice in one operation",
            "failed",
            "unfunded",
            "settled",
            "settled in part",
            "the rest settled later",
            "tried to settle during a pause",
            "tried to settle after the window",
            "tried to settle without a pin",
            "tried to settle with a proof of another outcome",
            "tried to settle without attestors",
            "tried to settle without the user's signature",
            "tried to settle another order of the nonce",
            "tried to settle the other outcome as well",
            "settled what was exiting",
            "withdrawn",
            "tried to withdraw what exits",
            "tried to use a co-signature twice",
            "exit requested",
            "tried to exit with more than the balance",
            "tried to exit before its time",
            "exit during a pause of settlement",
            "exited",
            "the vault was short",
            "the cap was used up and exceeded"
        ];
        for (uint256 i; i < names.length; ++i) {
            emit log_named_uint(names[i], counts[i]);
            if (counts[i] == 0) revert NotTrue(names[i]);
        }
    }

    function _act(uint256 random) private {
        uint256 seed = random >> 8;
        uint256 amount = uint256(keccak256(abi.encode(random)));
        uint256 kind = random % 24;
        if (kind < 7) handler.order(seed, amount, amount >> 128, uint8(seed >> 32));
        else if (kind < 11) handler.settle(seed);
        else if (kind < 14) handler.steal(seed, uint8(seed >> 32));
        else if (kind < 16) handler.wait(amount, seed % 4 == 0);
        else if (kind == 16) handler.deposit(seed, amount);
        else if (kind == 17) handler.requestExit(seed, amount);
        else if (kind == 18) handler.finalizeExit(seed);
        else if (kind == 19) handler.withdraw(seed, amount, amount >> 128, bytes32(amount));
        else if (kind == 20) handler.repeatWithdrawal(seed);
        else if (kind == 21) handler.changePin(seed);
        else if (kind == 22) handler.pauseSettlement(seed, uint8(amount));
        else if (seed % 5 == 0) handler.cancelExit(seed >> 8);
        else if (seed % 5 == 1) handler.ownerTakesLiquidity(seed >> 8, amount);
        else if (seed % 5 == 2) handler.exceedCap(seed >> 8);
        else handler.issuerTakes(seed >> 8, amount);
    }
}
