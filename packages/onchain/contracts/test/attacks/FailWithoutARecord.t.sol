// SPDX-License-Identifier: MIT
// @promise 13
pragma solidity ^0.8.28;

import {StorageSlot} from "@openzeppelin/contracts/utils/StorageSlot.sol";
import {PackedUserOperation} from "../../interfaces/ERC4337.sol";
import {Outcome} from "../../interfaces/IOutcomeVerifier.sol";
import {MIN_POST_OP_GAS} from "../../smart-balance/Constants.sol";
import {ExpensiveToken} from "../smart-balance/Tokens.sol";
import {SmartBalanceTest} from "../smart-balance/SmartBalanceTest.sol";

/// @dev An account whose validation and execution use up the gas that the operation allows them. The execution then
/// reverts with as many bytes as EntryPoint puts into its log.
contract BurningAccount {
    uint256 private constant REVERT_REASON_MAX_LEN = 2_048;

    function validateUserOp(PackedUserOperation calldata op, bytes32, uint256)
        external
        view
        returns (uint256)
    {
        _burn(abi.decode(op.callData[4:], (uint256)));
        return 0;
    }

    /// @param rest The gas that the execution leaves.
    function fail(uint256, uint256 rest) external view {
        _burn(rest);
        assembly ("memory-safe") {
            revert(mload(64), REVERT_REASON_MAX_LEN)
        }
    }

    function _burn(uint256 rest) private view {
        while (gasleft() > rest) {}
    }
}

/// @dev As much work as USDC's proxy adds to a call: two slots and another contract.
contract TokenProxy {
    bytes32 private constant ADMIN = keccak256("admin");
    bytes32 private constant IMPLEMENTATION = keccak256("implementation");

    fallback() external {
        require(msg.sender != StorageSlot.getAddressSlot(ADMIN).value);
        (bool success, bytes memory returned) =
            StorageSlot.getAddressSlot(IMPLEMENTATION).value.delegatecall(msg.data);
        require(success);
        assembly ("memory-safe") {
            return(add(returned, 32), mload(returned))
        }
    }
}

/// @notice Attack: use up the paymaster's gas in an operation of whose failure nothing is recorded, so that no failFee
/// is due. EntryPoint reverts postOp together with the operation if postOp runs out of gas, or if the operation costs
/// more than its prefund, and the paymaster still pays the bundler.
/// @dev Guard: MIN_POST_OP_GAS covers postOp and what EntryPoint itself uses beyond the limits of the operation.
contract FailWithoutARecordTest is SmartBalanceTest {
    /// @notice Undoes an operation that EntryPoint has included.
    error Included();

    /// @dev The gas that the account leaves in its execution, for the revert.
    uint256 private constant EXECUTION_REST = 400;

    /// @dev The gas that the account leaves in its validation; more than it has, so it burns nothing yet.
    uint256 private _validationRest = 100_000;
    uint256 private _paymastersValidationGas = 100_000;

    function setUp() public override {
        super.setUp();
        account = address(new BurningAccount());
        vm.deal(BUNDLER, 1);
        // A small call leaves EntryPoint least of the 64th that it keeps back.
        accountGasLimits = _pack(100_000, 20_000);
        _putBehindAProxy(address(tokenOn[O]));
    }

    /// @dev All limits that the attacker chooses are used up, so none of them pays for EntryPoint's own gas.
    function test_byExceedingThePrefund() public {
        _useUpTheLimits();
        this.handleWith(gasleft());
        assertTrue(_outcome(account, 0) == Outcome.Failed, "its failFee is due");
    }

    /// @dev The attacker bundles the operation with exactly the gas that EntryPoint requires.
    function test_byStarvingPostOp() public {
        _useUpTheLimits();
        this.handleWith(_least(this.withGas));
        assertTrue(_outcome(account, 0) == Outcome.Failed, "its failFee is due");
    }

    /// @dev A token whose balanceOf and transfer cost 20,000 more each than those of a proxy's token.
    function test_byStarvingPostOpOfAnExpensiveToken() public {
        vm.etch(address(0x1213), address(new ExpensiveToken(20_000, 20_000)).code);
        _useUpTheLimits();
        this.handleWith(_least(this.withGas));
        assertTrue(_outcome(account, 0) == Outcome.Failed, "its failFee is due");
    }

    function withPaymastersValidationGas(uint256 gas) external {
        _paymastersValidationGas = gas;
        this.handleWith(gasleft());
        revert Included();
    }

    function withValidationRest(uint256 gas) external {
        _validationRest = gas;
        this.handleWith(gasleft());
        revert Included();
    }

    function withGas(uint256 gas) external {
        this.handleWith(gas);
        revert Included();
    }

    function handleWith(uint256 gas) external {
        PackedUserOperation[] memory ops = new PackedUserOperation[](1);
        ops[0] = _operation();
        entryPoint.handleOps{gas: gas}(ops, BUNDLER);
    }

    function _putBehindAProxy(address token) private {
        address implementation = address(0x1213);
        vm.etch(implementation, token.code);
        vm.etch(token, type(TokenProxy).runtimeCode);
        vm.store(token, keccak256("implementation"), bytes32(uint256(uint160(implementation))));
    }

    /// @dev In the test, not in {setUp}, after which everything is warm.
    function _useUpTheLimits() private {
        _paymastersValidationGas = _least(this.withPaymastersValidationGas);
        _validationRest = _least(this.withValidationRest);
    }

    /// @dev The least gas with which EntryPoint includes the operation.
    function _least(function(uint256) external attempt) private returns (uint256 most) {
        uint256 tooLittle;
        most = 500_000;
        while (most - tooLittle > 1) {
            uint256 middle = (most + tooLittle) / 2;
            try attempt(middle) {}
            catch (bytes memory reason) {
                if (bytes4(reason) == Included.selector) most = middle;
                else tooLittle = middle;
            }
        }
    }

    function _operation() private returns (PackedUserOperation memory op) {
        paymasterGasLimits = _pack(uint128(_paymastersValidationGas), uint128(MIN_POST_OP_GAS));
        Draft memory draft = _draft();
        draft.callData = abi.encodeCall(BurningAccount.fail, (_validationRest, EXECUTION_REST));
        op = _build(draft);
    }
}
